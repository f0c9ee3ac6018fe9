internal import HalcyonRecords

extension PhotoService {
    var routes: [Route] {
        [
            Route("GET", path: "/students/*/photo", access: .role(.viewer), kind: .photo) {
                (request, parameters) throws(Problem) in try await self.studentPhoto(request, id: parameters[0])
            },
            Route("GET", path: "/images/*/*", access: .anyone, kind: .image) { (request, parameters) throws(Problem) in
                try await self.signedImage(request, signature: parameters[0], encodedURL: parameters[1])
            },
            Route("GET", path: "/images", access: .role(.viewer), kind: .image) { (request, _) throws(Problem) in
                try await self.image(request)
            },
        ]
    }
}
