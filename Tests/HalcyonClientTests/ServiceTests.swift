import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonClient

/// Against a running service.
@Suite(.timeLimit(.minutes(1)))
struct ServiceTests {
    private func refusal<Value>(_ result: NetworkResult<Value>) -> Refusal? {
        if case .requestError(let refusal) = result { refusal } else { nil }
    }

    @Test func studentsAreFoundAndListed() async throws {
        try await RunningService.run { service, halcyon in
            #expect(try await halcyon.totals().get().numOfStudents == [1: [1: 2]])
            let student = try await halcyon.student(id: 202_110_102).get()
            #expect(student.name == "김하나2")
            #expect(student.profileImageURL == service.origin.url("/2.png"))
            #expect(try await halcyon.student(id: 202_110_101).get().profileImageURL == nil)
            let seat = HalcyonEndpoint.findStudentAt(grade: 1, classNumber: 1, number: 2)
            #expect(try await halcyon.request(seat, as: Student.self).get() == student)
            #expect(try await halcyon.request(HalcyonEndpoint.student(id: student.id)).get() == student)
            let first = try await halcyon.students(StudentFilter(name: "김하", limit: 1)).get()
            let second = try await halcyon.students(StudentFilter(name: "김하", limit: 1, after: first.next)).get()
            #expect((first.items + second.items).map(\.number) == [1, 2])
            #expect(second.next == nil)
            #expect(refusal(await halcyon.student(id: 7))?.code == 3001)
        }
    }

    @Test func photosComeAsBytes() async throws {
        try await RunningService.run { service, halcyon in
            let photo = try await halcyon.photo(studentID: 202_110_102).get()
            #expect(photo.bytes == Data(SampleImage.png()))
            #expect(photo.contentType == "image/png")
            #expect(photo.placeholder == nil)
            #expect(try await halcyon.photo(studentID: 202_110_101).get().placeholder == "no-photo")
            let none = await halcyon.photo(studentID: 202_110_101, placeholder: false)
            #expect(refusal(none)?.status == 404)
            let image = HalcyonEndpoint.image(url: service.origin.url("/2.png"))
            #expect(try await halcyon.bytes(image).get().bytes == photo.bytes)
        }
    }

    @Test func guidancesAreGivenTakenAndRestored() async throws {
        try await RunningService.run { _, halcyon in
            let first = try await halcyon.addGuidance(studentID: 202_110_102, reason: .dress).get()
            let second = try await halcyon.addGuidance(studentID: 202_110_101, reason: .other, detail: "복도").get()
            #expect(first.profileImageURL?.hasSuffix("/2.png") == true)
            #expect(first.knownReason == .dress)
            #expect(try await halcyon.guidances().get().items.map(\.id) == [second.id, first.id])
            #expect(try await halcyon.guidances(GuidanceFilter(studentID: 202_110_101)).get().items == [second])
            #expect(try await halcyon.removeGuidance(id: second.id).get() == [first])
            #expect(try await halcyon.guidances(GuidanceFilter(status: .deleted)).get().items == [second])
            #expect(try await halcyon.restoreGuidance(id: second.id).get() == second)
            #expect(refusal(await halcyon.removeGuidance(id: 99))?.status == 404)
            let refused = refusal(await halcyon.addGuidance(studentID: 202_110_101, reason: .dress, detail: "x"))
            #expect(refused?.code == 2003)
            #expect(refused?.message.contains("detail") == true)
        }
    }

    @Test(
        "a club of any name has a board of its own",
        arguments: ["a", "컴퓨터", "컴퓨터 반", "100% ?&+;=:@", "%2F"])
    func notices(club: String) async throws {
        try await RunningService.run { _, halcyon in
            #expect(try await halcyon.notices(clubID: club).get().isEmpty)
            let author = NoticeAuthor(id: "u1", nickName: "컴동쌤", profileImageURL: "https://h.example/a.jpg")
            let draft = NoticeDraft(rootUser: author, title: "첫 모임", content: "월요일\n4시")
            let notice = try await halcyon.addNotice(clubID: club, draft).get()
            #expect(notice.clubID == club)
            #expect(notice.rootUser == author)
            #expect(notice.commentCount == 0)
            #expect(try await halcyon.notices(clubID: club).get() == [notice])
            #expect(try await halcyon.notices(clubID: club + "x").get().isEmpty)
            let edited = try await halcyon.changeNotice(clubID: club, id: notice.id, NoticeDraft(title: "둘")).get()
            #expect(edited.title == "둘")
            #expect(edited.content == notice.content)
            #expect(try await halcyon.removeNotice(clubID: club, id: notice.id).get().isEmpty)
        }
    }

    @Test func whoSignsUpIsSignedInFromThereOn() async throws {
        try await RunningService.run { service, halcyon in
            let account = try await halcyon.signUp(
                email: "a@school.example", password: "correct horse 1", userName: "컴동쌤"
            ).get()
            #expect(account.email == "a@school.example")
            #expect(try await halcyon.totals().get().numOfClasses == [1: 1])
            let wrong = await halcyon.signIn(email: "a@school.example", password: "wrong")
            #expect(refusal(wrong)?.status == 401)
            #expect(
                try await halcyon.signIn(email: "a@school.example", password: "correct horse 1").get().userName == "컴동쌤"
            )
            let stranger = try HalcyonProvider(baseURL: service.baseURL)
            #expect(refusal(await stranger.totals())?.code == 4010)
            await stranger.shutDown()
        }
    }

    @Test func whoeverRunsTheServiceAsksItHowItIs() async throws {
        try await RunningService.run { _, halcyon in
            _ = try await halcyon.request(HalcyonEndpoint.health, as: NoContent.self).get()
            #expect(try await halcyon.request(HalcyonEndpoint.readiness, as: Readiness.self).get().ready)
            let metrics = try await halcyon.bytes(HalcyonEndpoint.metrics).get()
            #expect(String(decoding: metrics.bytes, as: UTF8.self).contains("# TYPE"))
            let description = try await halcyon.bytes(HalcyonEndpoint.description).get()
            #expect(String(decoding: description.bytes, as: UTF8.self).contains("\"openapi\""))
            _ = try await halcyon.photo(studentID: 202_110_102).get()
            let statistics = try await halcyon.request(HalcyonEndpoint.cacheStatistics, as: CacheStatistics.self).get()
            #expect(statistics.memory.entries == 1)
            let dry = HalcyonEndpoint.purge(.grade(1, classNumber: 1), dryRun: true)
            #expect(try await halcyon.request(dry, as: PurgeReport.self).get().dryRun)
            let purge = HalcyonEndpoint.purge(.all)
            #expect(try await halcyon.request(purge, as: PurgeReport.self).get().count == 1)
            let start = HalcyonEndpoint.prefetch(PrefetchSelection(students: [202_110_102]))
            let job = try await halcyon.request(start, as: PrefetchJob.self).get()
            #expect(job.total == 1)
            let now = try await halcyon.request(HalcyonEndpoint.prefetchJob(id: job.id), as: PrefetchJob.self).get()
            #expect(now.id == job.id)
            #expect(refusal(await halcyon.request(HalcyonEndpoint.prefetchJob(id: "x"), as: PrefetchJob.self)) != nil)
        }
    }
}
