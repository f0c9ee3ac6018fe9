extension Command {
    static let get = Command(
        path: ["get"], summary: "write one photo to a file or standard output", operands: "URL|STUDENT_ID",
        operandCount: 1...1,
        options: [
            Options.output.spec, Options.variant.spec, Options.refresh.spec, Options.onlyCached.spec,
        ],
        details: [
            "Without --output the file is named after the student or the URL's last part, in the current folder."
        ],
        run: unbuilt
    )
}
