extension Command {
    static let sign = Command(
        path: ["sign"], summary: "print the path of a signed image URL", operands: "URL", operandCount: 1...1,
        options: [Options.signKeys.spec, Options.variant.spec, Options.validFor.spec],
        details: ["The first key of --sign-keys signs. A server with the same keys answers under the printed path."],
        run: unbuilt
    )
}
