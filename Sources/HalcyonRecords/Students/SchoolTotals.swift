/// How many classes and students there are. Keys are numbers as text, which is what JSON objects allow.
package struct SchoolTotals: Sendable, Hashable, Codable {
    /// Grade → number of classes that have a student.
    package var numOfClasses: [String: Int] = [:]
    /// Grade → class → number of students.
    package var numOfStudents: [String: [String: Int]] = [:]

    package init() {}

    mutating func add(grade: Int, classNumber: Int, students: Int) {
        numOfClasses["\(grade)", default: 0] += 1
        numOfStudents["\(grade)", default: [:]]["\(classNumber)"] = students
    }
}
