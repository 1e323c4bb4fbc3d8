package dev.superstep.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenantTests {
  private static final Tenant ACME = new Tenant("acme");

  @Test
  void keepsIdsOfTenantsApart() {
    assertThat(ACME.own("order-1")).isEqualTo("acme/order-1");
    assertThat(Tenant.DEFAULT.own("order-1")).isEqualTo("order-1");
    assertThat(Tenant.of("acme/order-1")).isEqualTo(ACME);
    assertThat(Tenant.of("order-1")).isEqualTo(Tenant.DEFAULT);
    assertThat(Tenant.shown("acme/order-1")).isEqualTo("order-1");
    assertThat(Tenant.shown("order-1")).isEqualTo("order-1");
  }

  @Test
  void knowsWhatItOwns() {
    assertThat(ACME.owns("acme/order-1")).isTrue();
    assertThat(ACME.owns("acme2/order-1")).isFalse();
    assertThat(ACME.owns("acme")).isFalse();
    assertThat(ACME.owns("order-1")).isFalse();
    assertThat(Tenant.DEFAULT.owns("order-1")).isTrue();
    assertThat(Tenant.DEFAULT.owns("acme/order-1")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"other/order-1", "/order-1", "acme/order-1", "/", "default/x"})
  void ownsNothingWhoseIdHasASlash(String id) {
    for (var tenant : new Tenant[] {ACME, Tenant.DEFAULT, new Tenant("other")}) {
      assertThat(ACME.owns(tenant.own(id))).isFalse();
      assertThat(Tenant.DEFAULT.owns(tenant.own(id))).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Acme", "a/b", "-a", "a.b", "a b", "ä"})
  void hasAPlainName(String name) {
    assertThat(Tenant.isName(name)).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> new Tenant(name));
  }

  @Test
  void isBoundWhileARequestIsAnswered() {
    assertThat(Tenant.ofRequest()).isEmpty();
    assertThat(Tenant.current()).isEqualTo(Tenant.DEFAULT);
    ACME.within(() -> {
      assertThat(Tenant.ofRequest()).contains(ACME);
      Tenant.outside(() -> assertThat(Tenant.ofRequest()).isEmpty());
      return assertThat(Tenant.current()).isEqualTo(ACME);
    });
  }

  @Test
  void hidesItselfInMessages() {
    assertThat(ACME.shownIn("graph 'acme/x' is not there")).isEqualTo("graph 'x' is not there");
    assertThat(ACME.shownIn("see acme/x, and state.acme/0")).contains("acme/x", "state.acme/0");
    assertThat(Tenant.DEFAULT.shownIn("default/x")).isEqualTo("default/x");
    for (var tenant : new Tenant[] {ACME, Tenant.DEFAULT}) {
      var message = "there is no run '%s'".formatted(tenant.own("acme/x"));
      assertThat(tenant.shownIn(message)).isEqualTo("there is no run 'acme/x'");
      assertThat(Tenant.shown(tenant.own("acme/x"))).isEqualTo("acme/x");
      assertThat(tenant.shownIn("wrong at '/nodes/0'")).isEqualTo("wrong at '/nodes/0'");
    }
  }
}
