internal import HalcyonRecords

extension RecordStore {
    /// The students whose ids an order names.
    /// - Throws: 404 naming the first id that no student has.
    func named(_ ids: [Int]) async throws(Problem) -> [Student] {
        var students: [Student] = []
        for id in ids {
            guard let student = try await orProblem(await self.student(id: id)) else {
                throw .notFound("student \(id): there is no such student")
            }
            students.append(student)
        }
        return students
    }
}
