package dev.superstep.database;

import dev.superstep.compute.RequestWork;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Surrounds each transaction that only reads for a request: one that turns out to be large ends,
/// and begins anew in its turn. Until then it keeps no connection from small ones.
@Component
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
final class LargeReads extends StaticMethodMatcherPointcutAdvisor {
  private static final long serialVersionUID = 1;
  private static final AnnotationTransactionAttributeSource TRANSACTIONS =
      new AnnotationTransactionAttributeSource(false);

  LargeReads() {
    setAdvice((MethodInterceptor) LargeReads::read);
    setOrder(Ordered.HIGHEST_PRECEDENCE);
  }

  @Override
  public boolean matches(Method method, Class<?> type) {
    var transaction = TRANSACTIONS.getTransactionAttribute(method, type);
    return transaction != null && transaction.isReadOnly();
  }

  private static @org.jspecify.annotations.Nullable Object read(MethodInvocation call)
      throws Throwable {
    if (TransactionSynchronizationManager.isActualTransactionActive()) {
      return call.proceed();
    }
    var repeatable = (ProxyMethodInvocation) call;
    return RequestWork.current().reading(() -> repeatable.invocableClone().proceed());
  }
}
