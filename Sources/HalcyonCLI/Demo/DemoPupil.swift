internal import HalcyonRecords

/// How a pupil's photo behaves at the made-up origin.
enum DemoBehaviour: String, CaseIterable, Sendable {
    case good
    /// The record has no URL.
    case noPhoto
    case notFound
    /// A login page with status 200.
    case page
    /// Fewer bytes than announced.
    case truncated
    /// The first byte takes seconds.
    case slow
}

/// A pupil of the sample school. Nobody is real: the names are put together from lists.
struct DemoPupil: Sendable, Equatable {
    /// Also the seed of the portrait.
    let id: Int
    let grade: Int
    let classNumber: Int
    let number: Int
    let name: String
    let behaviour: DemoBehaviour

    static let classesPerGrade = 4
    static let pupilsPerClass = 25

    /// The school of `count` pupils, the same every time.
    static func school(count: Int, year: Int) -> [DemoPupil] {
        let pupilsPerGrade = classesPerGrade * pupilsPerClass
        return (0..<count).map { index in
            let grade = index / pupilsPerGrade + 1
            let classNumber = index % pupilsPerGrade / pupilsPerClass + 1
            let number = index % pupilsPerClass + 1
            return DemoPupil(
                id: SchoolYear.studentID(year: year, grade: grade, classNumber: classNumber, number: number),
                grade: grade, classNumber: classNumber, number: number, name: name(index),
                behaviour: behaviour(index))
        }
    }

    /// Of every 75 pupils, three classes, each way to misbehave has one, and one more has no photo.
    private static func behaviour(_ index: Int) -> DemoBehaviour {
        switch index % 75 {
        case 6, 69: .noPhoto
        case 17: .notFound
        case 31: .page
        case 44: .truncated
        case 58: .slow
        default: .good
        }
    }

    private static func name(_ index: Int) -> String {
        let families = ["김", "이", "박", "최", "정", "강", "조", "윤", "장", "임", "한", "오", "서", "신", "권", "황"]
        let first = ["서", "하", "도", "지", "유", "민", "예", "시", "채", "준", "은", "수"]
        let second = ["윤", "준", "아", "우", "연", "호", "원", "린", "서", "빈", "율", "현", "진"]
        // Steps without a common factor walk through the combinations.
        return families[index * 7 % families.count] + first[index * 5 % first.count]
            + second[index * 11 % second.count]
    }

    /// The path of the photo at the origin; `nil` for one without.
    var path: String? { behaviour == .noPhoto ? nil : "/photos/\(id).jpg" }
}
