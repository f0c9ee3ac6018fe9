/// `docs/options.md`, from the tables: printed by `halcyon help --markdown`, and a test compares the two.
enum OptionReference {
    static func markdown(commands: [Command]) -> String {
        var parts = [
            """
            # Options

            Written by `halcyon help --markdown > docs/options.md`; a test keeps it equal to the code.

            Each option is also an environment variable and a key of the JSON file given by `--config`. Flag beats environment
            beats file beats default. Sizes take `KiB`, `MiB`, `GiB` or plain bytes; durations take `ms`, `s`, `m`, `h`, `d`.
            In the environment, values of a repeatable option are separated by spaces; in the file they are an array.
            """,
            table("Common options", Options.common),
        ]
        for command in commands where !command.options.isEmpty {
            parts.append(table("halcyon \(command.usage)", command.options))
        }
        parts.append(origins)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static func table(_ title: String, _ specs: [OptionSpec]) -> String {
        let rows = specs.map { spec in
            let value = spec.placeholder.map { " \($0)" } ?? ""
            let standard = spec.isSwitch ? "" : spec.defaultTexts.first.map { "`\($0)`" } ?? ""
            let names = spec.places == .commandLineOnly ? "" : "`\(spec.environmentName)`"
            let key = spec.places == .environmentAndFile ? "`\(spec.jsonKey)`" : ""
            let option = escaped("`--\(spec.flag)\(value)`")
            return "| \(option) | \(standard) | \(names) | \(key) | \(escaped(spec.help)) |"
        }
        return """
            ## \(escaped(title))

            | option | default | environment | file | meaning |
            |---|---|---|---|---|
            \(rows.joined(separator: "\n"))
            """
    }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }

    private static let origins = """
        ## origins

        The file's `origins` array says more of a host than `--allow-origin` can. A host listed there needs no `--allow-origin`;
        if both name it, the ranges are joined.

        | key | value | meaning |
        |---|---|---|
        | `host` | `"photos.school.example"`, `"*.cdn.example"`, `"photos.school.example:8443"` | required |
        | `addresses` | `["10.2.0.0/24"]` | ranges the host may resolve to although they are not public |
        | `expiry` | `"7d"`, `"0"`, `"never"`, `"origin"` | instead of `--disk-expiry` |
        | `memoryOnly` | `true` | nothing of this host is written to disk |
        | `headers` | `{"X-Api-Key": SECRET}` | sent with each request to this host, and to no other |
        | `credentials` | SECRET | the value of `Authorization` |
        | `droppedQueryItems` | `["sig", "expires"]` | query items left out of the cache key |

        A SECRET is a text, `{"file": "PATH"}` or `{"environment": "NAME"}`; `--print-config` and the logs never show it.

        ```json
        {
          "diskLimit": "4GiB",
          "origins": [
            {"host": "photos.school.example", "addresses": ["10.2.0.0/24"], "credentials": {"file": "/run/secrets/photos"}},
            {"host": "random.example", "memoryOnly": true, "expiry": "0"}
          ]
        }
        ```
        """
}
