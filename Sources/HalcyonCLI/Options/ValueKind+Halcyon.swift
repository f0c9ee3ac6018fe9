internal import Glibc
internal import Halcyon
internal import HalcyonHTTP
internal import HalcyonImage
internal import HalcyonRecords
internal import HalcyonServer

extension ValueKind<CacheExpiration> {
    /// - Parameter allowsOrigin: whether the origin's header fields may decide.
    static func expiry(allowsOrigin: Bool) -> Self {
        Self(
            "EXPIRY", accepted: ExpiryText.accepted(allowsOrigin: allowsOrigin),
            parse: { ExpiryText.parse($0, allowsOrigin: allowsOrigin) }, write: ExpiryText.exact)
    }
}

extension ValueKind<CacheExtension> {
    static var expiryExtension: Self {
        Self(
            "none|cache-time|DURATION", accepted: "none, cache-time, or \(DurationText.accepted)",
            completion: .choices(["none", "cache-time"]),
            parse: { text in
                switch text {
                case "none": CacheExtension.none
                case "cache-time": .cacheTime
                default: DurationText.parse(text).map { .expirationTime(.seconds($0.inSeconds)) }
                }
            },
            write: { value in
                switch value {
                case .none: "none"
                case .cacheTime: "cache-time"
                case .expirationTime(let expiration): ExpiryText.exact(expiration)
                }
            }
        )
    }
}

extension ValueKind<String> {
    /// `HOST[:PORT][=CIDR,…]`, read by the rule's own reader, so that what is accepted here is what holds later.
    static var originRule: Self {
        Self(
            placeholder: "HOST[:PORT][=CIDR,…]",
            accepted: "a host such as photos.school.example or *.cdn.example, a port if need be, and address ranges",
            read: { text throws(ValueProblem) in
                do throws(OriginRuleProblem) {
                    _ = try OriginRule(text)
                } catch {
                    throw ValueProblem(reason: "\(error)")
                }
                return text
            },
            write: { $0 }
        )
    }

    /// Read as the fetch will read it. Messages show neither user, password nor query.
    ///
    /// - Parameter isRecorded: for records, which hold no URL with white space.
    static func url(isRecorded: Bool = false) -> Self {
        Self(
            placeholder: "URL", accepted: "an http or https URL",
            shown: { Shown.url($0) },
            read: { text throws(ValueProblem) in
                do throws(URLProblem) {
                    _ = try CanonicalURL(text)
                } catch {
                    throw ValueProblem(reason: "\(error)")
                }
                guard !isRecorded || !text.contains(where: \.isWhitespace) else {
                    throw ValueProblem(reason: "the URL holds white space")
                }
                return text
            },
            write: { $0 }
        )
    }

    /// A host's name or address; the port that lists show beside it does not count.
    static var hostName: Self {
        @Sendable func host(_ text: String) -> String? {
            guard !text.contains(where: { "/?#@ ".contains($0) }) else { return nil }
            for form in [text, "[\(text)]"] {
                do throws(URLProblem) { return try CanonicalURL("http://\(form)/").host } catch { continue }
            }
            return nil
        }
        return Self(
            "NAME", accepted: "a host such as photos.school.example, with or without its port", parse: host,
            write: { $0 })
    }

    /// A text as records hold it. Lengths are in characters.
    static func recordText(_ placeholder: String, length: ClosedRange<Int>, isMultiline: Bool = false) -> Self {
        Self(
            placeholder,
            accepted: "\(length.lowerBound) to \(length.upperBound) characters"
                + (isMultiline ? "" : " without control characters"),
            parse: { text in
                do throws(RecordError) {
                    return try RecordText.check(text, field: placeholder, length: length, isMultiline: isMultiline)
                } catch {
                    return nil
                }
            },
            write: { $0 }
        )
    }

    /// A file that is read later: found missing now rather than then.
    static var readableFile: Self {
        Self(
            placeholder: "FILE", accepted: "the path of a file that can be read", completion: .files,
            read: { text throws(ValueProblem) in
                let descriptor = Glibc.open(text, O_RDONLY | O_CLOEXEC)
                guard descriptor >= 0 else { throw ValueProblem(reason: String(cString: strerror(errno))) }
                defer { close(descriptor) }
                var status = stat()
                guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
                    throw ValueProblem(reason: "it is a folder")
                }
                return text
            },
            write: { $0 }
        )
    }

    static var placeholderFile: Self {
        Self(
            placeholder: "FILE|initials", accepted: "initials, or the path of an image that browsers show",
            completion: .files,
            read: { text throws(ValueProblem) in
                if text == "initials" { return text }
                do throws(DrawingError) {
                    _ = try Placeholder.file(text)
                } catch {
                    throw ValueProblem(reason: "\(error)")
                }
                return text
            },
            write: { $0 }
        )
    }

    static var redirectHost: Self {
        Self(
            placeholder: "HOST", accepted: "a host such as photos.school.example or *.cdn.example",
            read: { text throws(ValueProblem) in
                do throws(OriginRuleProblem) {
                    _ = try HostPattern(text)
                } catch {
                    throw ValueProblem(reason: "\(error)")
                }
                return text
            },
            write: { $0 }
        )
    }

    /// A path is kept, for a proxy that serves Halcyon below one; a slash at the end is not.
    static var publicURL: Self {
        Self(
            "URL",
            accepted:
                "an http or https URL without user name, query or fragment, such as https://photos.school.example",
            parse: { text in
                guard !text.contains("?"), !text.contains("#") else { return nil }
                do throws(URLProblem) {
                    var url = Substring(try CanonicalURL(text).text)
                    while url.hasSuffix("/") { url.removeLast() }
                    return String(url)
                } catch {
                    return nil
                }
            },
            write: { $0 }
        )
    }

    static var listenAddress: Self {
        Self(
            "ADDRESS:PORT", accepted: "an address and a port, such as 127.0.0.1:8080 or [::1]:8080",
            parse: { text in
                do throws(ListenerError) {
                    _ = try ListenAddress(text)
                    return text
                } catch {
                    return nil
                }
            },
            write: { $0 }
        )
    }

    static var fileOrStandard: Self {
        Self(
            "FILE|-", accepted: "the path of a file, or -", completion: .files, parse: { $0.isEmpty ? nil : $0 },
            write: { $0 })
    }

}

extension ValueKind<Logger.Level> {
    static var logLevel: Self {
        let names = Logger.Level.allCases.map(\.name)
        return Self(
            names.joined(separator: "|"), accepted: "one of \(names.joined(separator: ", "))",
            completion: .choices(names), parse: { Logger.Level($0) }, write: { $0.name })
    }
}

extension ValueKind<CronExpression> {
    static var cron: Self {
        Self(
            placeholder: "CRON", accepted: "minute hour day-of-month month day-of-week, such as \"0 3 * * *\"",
            read: { text throws(ValueProblem) in
                do throws(CronProblem) {
                    return try CronExpression(text)
                } catch {
                    throw ValueProblem(reason: "\(error)")
                }
            },
            write: { $0.description }
        )
    }
}

extension ValueKind<ImageVariant> {
    static var variant: Self {
        Self(
            placeholder: "PARAMETERS", accepted: "the parameters of an image route, such as w=128&h=128&fit=cover",
            read: { text throws(ValueProblem) in
                // An empty one is more likely a variable that was never set than the wish for the original.
                guard !text.isEmpty else { throw ValueProblem(reason: "it is empty") }
                do throws(ImagePipeline.Error) {
                    return try ImageVariant(text)
                } catch {
                    throw ValueProblem(reason: error.description)
                }
            },
            write: { $0.text }
        )
    }
}

extension ValueKind<Mount> {
    static var mount: Self {
        Self(
            placeholder: "/PATH=ORIGIN_URL",
            accepted: "/PATH=ORIGIN_URL, such as /photos=https://photos.school.example",
            read: { text throws(ValueProblem) in
                do throws(MountProblem) { return try Mount(text) } catch {
                    throw ValueProblem(reason: error.description)
                }
            },
            write: { "\($0.path)=\($0.origin.origin)\($0.basePath)" }
        )
    }
}

extension ValueKind<MountRule> {
    static var mountRule: Self {
        Self(
            placeholder: "/PATH=RULE,…", accepted: MountRule.accepted,
            read: { text throws(ValueProblem) in try MountRule(text) }, write: { $0.text })
    }
}
