package dev.superstep.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.starter.EmbeddedService.OwnSecurity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

class OwnSecurityTests {
  private final List<Optional<Authentication>> seen = new ArrayList<>();
  private final OwnSecurity security =
      new OwnSecurity(
          (request, response, chain) -> {
            note();
            SecurityContextHolder.getContext()
                .setAuthentication(new TestingAuthenticationToken("key", "", "read"));
            chain.doFilter(request, response);
          },
          (_, _) -> note());

  private void note() {
    seen.add(Optional.ofNullable(SecurityContextHolder.getContext().getAuthentication()));
  }

  @AfterEach
  void leavesNobody() {
    SecurityContextHolder.clearContext();
  }

  @Test
  void knowsOnlyWhomItHasAuthenticatedItself() throws Exception {
    var ada = new TestingAuthenticationToken("ada", "", "read", "operate");
    SecurityContextHolder.getContext().setAuthentication(ada);

    security.handle(new MockHttpServletRequest(), new MockHttpServletResponse());

    assertThat(seen.getFirst()).isEmpty();
    assertThat(seen.getLast().orElseThrow().getName()).isEqualTo("key");
    assertThat(SecurityContextHolder.getContext().getAuthentication()).isEqualTo(ada);
  }
}
