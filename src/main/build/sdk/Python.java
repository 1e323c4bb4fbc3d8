final class Python {
  Python(Api a) {}

  String source() {
    return "";
  }
}
