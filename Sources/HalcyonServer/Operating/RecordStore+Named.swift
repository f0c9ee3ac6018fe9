internal import HalcyonRecords

extension RecordStore {
    /// The students whose ids an order names.
    /// - Throws: 404 naming the first id that no student has.
    func named(_ ids: [Int]) async throws(Problem) -> [Student] {
        var students: [Student] = []
        for id in ids {
            let student: Student?
            do throws(RecordError) { student = try await self.student(id: id) } catch { throw Problem(error) }
            guard let student else { throw .notFound("student \(id): there is no such student") }
            students.append(student)
        }
        return students
    }
}
