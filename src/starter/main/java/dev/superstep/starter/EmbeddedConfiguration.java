package dev.superstep.starter;

import dev.superstep.database.UnparsedQueries;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.PersistenceExceptionTranslationAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/// The modules without what belongs to a process of its own: its connections, its database, its
/// document. Of Spring Boot it has what is named here, so that libraries of the application
/// configure nothing in it.
@AutoConfigurationPackage(basePackages = EmbeddedConfiguration.ALL)
@ComponentScan(
    basePackages = EmbeddedConfiguration.ALL,
    excludeFilters =
        @Filter(
            type = FilterType.REGEX,
            pattern = {
              "dev\\.superstep\\.starter\\..*",
              "dev\\.superstep\\.http\\.(connection|openapi)\\..*",
              "dev\\.superstep\\.http\\.ContainerProblems",
              "dev\\.superstep\\.database\\.EmbeddedDatabaseAutoConfiguration",
              "dev\\.superstep\\.definition\\.web\\.DefinitionSchemas",
              "dev\\.superstep\\..*(InDocument|LangGraphDocument)"
            }))
@ConfigurationPropertiesScan(EmbeddedConfiguration.ALL)
@EnableJpaRepositories(
    basePackages = EmbeddedConfiguration.ALL,
    queryEnhancerSelector = UnparsedQueries.class)
@ImportAutoConfiguration({
  AopAutoConfiguration.class,
  ApplicationAvailabilityAutoConfiguration.class,
  ConfigurationPropertiesAutoConfiguration.class,
  DataJpaRepositoriesAutoConfiguration.class,
  DataSourceAutoConfiguration.class,
  DataSourceTransactionManagerAutoConfiguration.class,
  DispatcherServletAutoConfiguration.class,
  FlywayAutoConfiguration.class,
  HibernateJpaAutoConfiguration.class,
  HttpMessageConvertersAutoConfiguration.class,
  JacksonAutoConfiguration.class,
  JdbcClientAutoConfiguration.class,
  JdbcTemplateAutoConfiguration.class,
  LifecycleAutoConfiguration.class,
  PersistenceExceptionTranslationAutoConfiguration.class,
  PropertyPlaceholderAutoConfiguration.class,
  SecurityAutoConfiguration.class,
  ServletWebSecurityAutoConfiguration.class,
  TaskExecutionAutoConfiguration.class,
  TaskSchedulingAutoConfiguration.class,
  TransactionAutoConfiguration.class,
  TransactionManagerCustomizationAutoConfiguration.class,
  WebMvcAutoConfiguration.class
})
class EmbeddedConfiguration {
  static final String ALL = "dev.superstep";
}
