/// Stands in until the modules below have landed.
func unbuilt(_ invocation: Invocation) async throws -> ExitCode {
    throw CommandFailure("halcyon \(invocation.command.name) is not in this build")
}
