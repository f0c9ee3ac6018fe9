internal import Foundation

/// What a service answers, for tests and previews: JSON of results, to be wrapped.
enum Sample {
    static func records(_ result: String) -> Data {
        Data(#"{"isSuccess":true,"code":1000,"message":"done","result":\#(result)}"#.utf8)
    }

    static func users(_ data: String) -> Data {
        Data(#"{"status":200,"success":true,"message":"done","data":\#(data)}"#.utf8)
    }

    static let photoURL = "https://photos.school.example/202110107.jpg"

    static let student =
        #"{"id":202110107,"grade":1,"classNumber":1,"number":7,"name":"김하나","profileImageURL":"\#(photoURL)"}"#

    static let totals = #"{"numOfClasses":{"1":2},"numOfStudents":{"1":{"1":25,"2":24}}}"#

    static let guidance = """
        {"guidanceID":1,"studentID":202110107,"grade":1,"classNumber":1,"number":7,"name":"김하나",\
        "profileImageURL":"\(photoURL)","profileURLImage":"\(photoURL)","reason":"기타","detail":"복도에서 뛰었음",\
        "createdAt":"2026-11-30T00:00:00Z"}
        """

    private static let author =
        #"{"id":"u1","nickName":"컴동쌤","profileImageURL":null,"profileImage":null,"description":null}"#

    static let notice = """
        {"id":"-N1","clubID":"컴퓨터","rootUser":\(author),"createDate":"2026-11-30T00:00:00Z","title":"첫 모임",\
        "content":"월요일 4시","imageList":[],"commentCount":"1"}
        """

    static let comment = """
        {"id":"-C1","clubID":"컴퓨터","noticeID":"-N1","author":\(author),"createDate":"2026-11-30T00:00:00Z",\
        "content":"갈게요"}
        """

    static let account = """
        {"email":"a@school.example","userName":"컴동쌤","password":"","token":"sample","expiresAt":"2026-12-30T00:00:00Z"}
        """

    static let exerciser = """
        {"email":"a@school.example","userName":"하나","nickname":"하나","password":"","token":"sample",\
        "expiresAt":"2026-12-30T00:00:00Z"}
        """

    static let myInfo = #"{"email":"a@school.example","nickname":"하나","ex_cycle":3}"#

    static let post = """
        {"certi_id":1,"nickname":"하나","certi_date":"2026-11-30","certi_image":null,"ex_time":"30분","ex_intensity":"보통",\
        "ex_evalu":"만족","ex_comment":"오랜만에 뛰었다","certi_sport":"달리기"}
        """

    static let person = #"{"id":1,"email":"a@school.example","userName":"컴동쌤","role":"admin"}"#

    static let guidanceCounts = #"[{"grade":1,"classNumber":1,"count":3}]"#

    static let auditEntry = """
        {"seq":1,"at":"2026-11-30T00:00:00Z","actor":"user:1","topic":"guidances","action":"created","record":"1",\
        "scope":null,"fields":[]}
        """

    static let readiness = #"{"ready":true,"server":"ok","fetch":"ok","disk":"ok"}"#
    static let purge = #"{"count":3,"bytes":65536,"dryRun":false}"#

    static let cacheStatistics = """
        {"memory":{"entries":1,"bytes":1000,"limitBytes":268435456,"hits":9,"fault":null},\
        "disk":{"entries":1,"bytes":1000,"limitBytes":2147483648,"hits":0,"fault":null},"fetched":1,"revalidated":0,\
        "stale":0,"coalesced":0,"hitRatio":0.9,"failures":{}}
        """

    static let prefetchJob = """
        {"id":"1","state":"done","total":1,"done":1,"fetched":1,"revalidated":0,"alreadyFresh":0,"noPhoto":0,"missing":0,\
        "timedOut":0,"refused":0,"notAnImage":0,"failedOtherwise":0,"cancelled":0,"bytes":1000,"failures":[]}
        """

    static let metrics = Data("# TYPE halcyon_requests_total counter\n".utf8)
    static let description = Data(#"{"openapi":"3.1.0","info":{"title":"Halcyon","version":"0"},"paths":{}}"#.utf8)

    /// One transparent pixel.
    static let png = Data([
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
        0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1F, 0x15, 0xC4, 0x89, 0x00, 0x00, 0x00,
        0x0D, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0x60, 0x60, 0x60, 0x00, 0x00, 0x00, 0x05, 0x00, 0x01,
        0xA5, 0xF6, 0x45, 0x40, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ])
}
