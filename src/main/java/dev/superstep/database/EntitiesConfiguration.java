package dev.superstep.database;

import jakarta.persistence.EntityManagerFactory;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Entities on the pools beside the primary one, whose entity manager JPA provides.
@Configuration(proxyBeanMethods = false)
public class EntitiesConfiguration {

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.ENGINE)
  PoolEntities engineEntities(
      EntityManagerFactory entities, @Qualifier(Pools.ENGINE) DataSource pool) {
    return new PoolEntities(entities, pool);
  }
}
