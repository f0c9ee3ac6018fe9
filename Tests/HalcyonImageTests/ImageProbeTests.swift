import HalcyonImage
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ImageProbeTests {
    @Test("HB-50 no bytes are no image")
    func nothingIsEmpty() {
        #expect(throws: ImageError.empty) { try ImageProbe.probe([]) }
    }
}
