package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.Modules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class NoticeTests {

  /// Only Maven knows what these bring along; a dependency that was added is what is forgotten.
  @Test
  void namesEveryDependencyOfTheService() throws Exception {
    var notice = Files.readString(Path.of("NOTICE"));

    assertThat(dependencies()).hasSizeGreaterThan(10);
    assertThat(dependencies())
        .as("write NOTICE again: mvn -Prelease -DskipTests package")
        .allSatisfy(it -> assertThat(notice).contains("\n" + it + ":"));
  }

  @Test
  void saysUnderWhichLicenceEachIs() throws IOException {
    assertThat(Files.readString(Path.of("NOTICE"))).doesNotContainIgnoringCase("unknown license");
  }

  private static List<String> dependencies() throws Exception {
    var found = new ArrayList<>(dependencies(Path.of("pom.xml")));
    for (var module : Modules.folders()) {
      found.addAll(dependencies(module.resolve("pom.xml")));
    }
    return found;
  }

  private static List<String> dependencies(Path pom) throws Exception {
    var found = new ArrayList<String>();
    var project =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(pom.toFile())
            .getDocumentElement();
    for (var list = project.getFirstChild(); list != null; list = list.getNextSibling()) {
      if (list instanceof Element element && element.getTagName().equals("dependencies")) {
        var all = element.getElementsByTagName("dependency");
        for (int i = 0; i < all.getLength(); i++) {
          if (all.item(i) instanceof Element dependency && isPackaged(dependency)) {
            found.add(text(dependency, "groupId") + ":" + text(dependency, "artifactId"));
          }
        }
      }
    }
    return found;
  }

  private static boolean isPackaged(Element dependency) {
    var scope = text(dependency, "scope");
    return (scope.isEmpty() || scope.equals("runtime") || scope.equals("compile"))
        && !text(dependency, "optional").equals("true")
        && !text(dependency, "groupId").equals("dev.superstep");
  }

  private static String text(Element parent, String name) {
    for (var child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element && element.getTagName().equals(name)) {
        return element.getTextContent().strip();
      }
    }
    return "";
  }
}
