package dev.superstep;

import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;

class ModularityTests {

  @Test
  void findsNoModuleReachingIntoAnother() {
    ApplicationModules.of(SuperstepApplication.class).verify();
  }
}
