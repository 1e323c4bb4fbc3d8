package dev.superstep.database;

import org.springframework.data.jpa.repository.query.DeclaredQuery;
import org.springframework.data.jpa.repository.query.QueryEnhancerFactories;
import org.springframework.data.jpa.repository.query.QueryEnhancerFactory;
import org.springframework.data.jpa.repository.query.QueryEnhancerSelector;

/// Leaves the queries of repositories as they are written. Spring Data would parse each at start,
/// to be able to sort it or to count its rows, which none needs; Hibernate parses and checks it
/// anyway.
public final class UnparsedQueries implements QueryEnhancerSelector {

  @Override
  public QueryEnhancerFactory select(DeclaredQuery query) {
    return QueryEnhancerFactories.fallback();
  }
}
