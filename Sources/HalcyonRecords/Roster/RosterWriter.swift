/// Writes a roster that ``RosterReader`` reads back unchanged.
enum RosterWriter {
    static func write(
        _ students: [Student], encoding: RosterEncoding, hasByteOrderMark: Bool
    ) throws(RecordError) -> [UInt8] {
        guard let converter = TextConverter(from: .utf8, to: encoding) else {
            throw .roster("this system's C library cannot write \(encoding.displayName)")
        }
        var output = hasByteOrderMark ? encoding.byteOrderMark : []
        let header = line(RosterColumn.allCases.map(\.rawValue))
        do throws(TextConverter.Failure) {
            output += try converter.convert(header)
        } catch {
            throw .roster("the header cannot be written in \(encoding.displayName)")
        }
        for student in students {
            do throws(TextConverter.Failure) {
                output += try converter.convert(line(fields(student)))
            } catch {
                throw .roster("student \(student.id) has a character that \(encoding.displayName) lacks")
            }
        }
        return output
    }

    private static func fields(_ student: Student) -> [String] {
        [student.id, student.grade, student.classNumber, student.number].map(String.init)
            + [student.name, student.profileImageURL ?? ""]
    }

    private static func line(_ fields: [String]) -> [UInt8] {
        Array((fields.map(quoted).joined(separator: ",") + "\r\n").utf8)
    }

    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { ",;\t\"\r\n".utf8.contains($0) }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
