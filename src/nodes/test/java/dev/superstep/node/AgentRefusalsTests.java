package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentRefusalsTests {

  /// What the exceptions of Spring's HTTP clients have, among them those for statuses without a
  /// name, which are of a class that nobody else sees.
  public interface SaidStatus {
    int value();
  }

  private record UnnamedStatus(int value) implements SaidStatus {}

  public static final class SaidByClient extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient @Nullable SaidStatus status;

    SaidByClient(@Nullable SaidStatus status) {
      this.status = status;
    }

    public @Nullable SaidStatus getStatusCode() {
      return status;
    }
  }

  public static final class SaidInDigits extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int status;

    SaidInDigits(int status) {
      this.status = status;
    }

    public int getStatusCode() {
      return status;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "400, true",
    "401, true",
    "429, true",
    "498, true",
    "408, false",
    "504, false",
    "200, false"
  })
  void knowsWhatClientsSayByTheirStatus(int status, boolean refused) {
    for (var failure :
        Stream.of(new SaidByClient(new UnnamedStatus(status)), new SaidInDigits(status)).toList()) {
      assertThat(AgentRefusals.has(failure)).isEqualTo(refused);
      assertThat(AgentRefusals.has(new IllegalStateException(failure))).isEqualTo(refused);
    }
  }

  @Test
  void takesNothingElseForARefusal() {
    assertThat(AgentRefusals.has(new SaidByClient(null))).isFalse();
    assertThat(AgentRefusals.has(new HttpTimeoutException("late"))).isFalse();
    assertThat(AgentRefusals.has(new IOException("reset"))).isFalse();
    assertThat(AgentRefusals.has(new IOException(new ConnectException("refused")))).isTrue();
  }

  /// Spring AI makes it of each answer that says the request is at fault.
  @Test
  void knowsWhatSpringAiThrows() throws Exception {
    assertThat(AgentRefusals.has(springAi("NonTransientAiException"))).isTrue();
    assertThat(AgentRefusals.has(new IllegalStateException(springAi("NonTransientAiException"))))
        .isTrue();
    assertThat(AgentRefusals.has(springAi("TransientAiException"))).isFalse();
  }

  /// Of the same name, for its library is none of ours.
  private static Throwable springAi(String name) throws Exception {
    var type = ClassDesc.of("org.springframework.ai.retry", name);
    var parent = ClassDesc.of("java.lang.RuntimeException");
    var bytes =
        ClassFile.of()
            .build(
                type,
                it ->
                    it.withFlags(ClassFile.ACC_PUBLIC)
                        .withSuperclass(parent)
                        .withMethodBody(
                            ConstantDescs.INIT_NAME,
                            ConstantDescs.MTD_void,
                            ClassFile.ACC_PUBLIC,
                            code ->
                                code.aload(0)
                                    .invokespecial(
                                        parent, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                                    .return_()));
    var loader =
        new ClassLoader(AgentRefusalsTests.class.getClassLoader()) {
          Class<?> defined() {
            return defineClass(null, bytes, 0, bytes.length);
          }
        };
    return (Throwable) loader.defined().getConstructor().newInstance();
  }
}
