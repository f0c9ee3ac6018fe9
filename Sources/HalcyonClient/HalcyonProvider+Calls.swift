/// The calls that apps make most; ``request(_:as:)`` makes all.
extension HalcyonProvider {
    // MARK: Students

    public func totals() async -> NetworkResult<SchoolTotals> { await request(HalcyonEndpoint.totals) }

    public func student(id: Int) async -> NetworkResult<Student> { await request(HalcyonEndpoint.findStudent(id: id)) }

    public func students(_ filter: StudentFilter = StudentFilter()) async -> NetworkResult<Page<Student>> {
        await page(HalcyonEndpoint.students(filter))
    }

    public func add(_ student: NewStudent) async -> NetworkResult<Student> {
        await request(HalcyonEndpoint.addStudent(student))
    }

    public func changeStudent(id: Int, _ change: StudentChange) async -> NetworkResult<Student> {
        await request(HalcyonEndpoint.changeStudent(id: id, change))
    }

    public func removeStudent(id: Int) async -> NetworkResult<NoContent> {
        await request(HalcyonEndpoint.removeStudent(id: id))
    }

    // MARK: Photos

    /// - Parameter placeholder: whether to take the placeholder for a photo that is not there, rather than an error.
    public func photo(studentID: Int, placeholder: Bool = true) async -> NetworkResult<ReceivedBytes> {
        await bytes(HalcyonEndpoint.photo(studentID: studentID, placeholder: placeholder))
    }

    public func setPhoto(studentID: Int, _ image: ImageFile) async -> NetworkResult<NoContent> {
        await request(HalcyonEndpoint.setPhoto(studentID: studentID, image))
    }

    public func removePhoto(studentID: Int) async -> NetworkResult<NoContent> {
        await request(HalcyonEndpoint.removePhoto(studentID: studentID))
    }

    // MARK: Guidances

    public func guidances(_ filter: GuidanceFilter = GuidanceFilter()) async -> NetworkResult<Page<Guidance>> {
        await page(HalcyonEndpoint.guidances(filter))
    }

    /// - Parameter detail: with ``GuidanceReason/other`` alone.
    public func addGuidance(
        studentID: Int, reason: GuidanceReason, detail: String? = nil
    ) async -> NetworkResult<Guidance> {
        await request(HalcyonEndpoint.addGuidance(studentID: studentID, reason: reason, detail: detail))
    }

    /// Answers with the guidances that remain.
    public func removeGuidance(id: Int) async -> NetworkResult<[Guidance]> {
        await request(HalcyonEndpoint.removeGuidance(id: id))
    }

    public func restoreGuidance(id: Int) async -> NetworkResult<Guidance> {
        await request(HalcyonEndpoint.restoreGuidance(id: id))
    }

    // MARK: Notices

    /// Newest first; an empty list for a club without notices.
    public func notices(clubID: String) async -> NetworkResult<[Notice]> {
        await request(HalcyonEndpoint.notices(clubID: clubID))
    }

    public func addNotice(clubID: String, _ draft: NoticeDraft) async -> NetworkResult<Notice> {
        await request(HalcyonEndpoint.addNotice(clubID: clubID, draft))
    }

    public func changeNotice(clubID: String, id: String, _ draft: NoticeDraft) async -> NetworkResult<Notice> {
        await request(HalcyonEndpoint.changeNotice(clubID: clubID, id: id, draft))
    }

    /// Answers with the notices that remain.
    public func removeNotice(clubID: String, id: String) async -> NetworkResult<[Notice]> {
        await request(HalcyonEndpoint.removeNotice(clubID: clubID, id: id))
    }

    // MARK: People

    /// Signs the requests after it with the account's token.
    public func signIn(email: String, password: Secret) async -> NetworkResult<Account> {
        adopting(await request(HalcyonEndpoint.signIn(email: email, password: password)))
    }

    /// Signs the requests after it with the account's token.
    public func signUp(email: String, password: Secret, userName: String) async -> NetworkResult<Account> {
        adopting(await request(HalcyonEndpoint.signUp(email: email, password: password, userName: userName)))
    }

    private func adopting(_ result: NetworkResult<Account>) -> NetworkResult<Account> {
        guard case .success(let account) = result else { return result }
        do {
            try use(token: account.token)
            return result
        } catch {
            return .networkFailure(NetworkFailure(.broken, "\(error)"))
        }
    }
}
