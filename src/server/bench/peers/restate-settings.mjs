// Restate's SDK uses it; Node 20 does not have it.
Promise.withResolvers ??= function withResolvers() {
  let resolve;
  let reject;
  const promise = new this((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, resolve, reject };
};

// Read when the SDK is imported: a line for every invocation would be measured, too.
process.env.RESTATE_LOGGING = "WARN";
