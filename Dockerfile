# syntax=docker/dockerfile:1
# Any image with Maven and a JDK 25, and any glibc image with a Java 25 runtime, bash and useradd.
ARG BUILD_IMAGE=docker.io/library/maven:3.9-eclipse-temurin-25
ARG RUNTIME_IMAGE=docker.io/library/eclipse-temurin:25-jre

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY pom.xml ./
COPY .mvn .mvn
# Of the modules what .dockerignore lets through: poms and main code.
COPY src src
COPY docs/openapi.yaml docs/openapi.yaml
COPY console console
# The checks and tests belong to the build of the commit, not of the image: no test is in its context. It takes the
# jar without an embedded PostgreSQL; the training below uses the one of the other jar.
RUN mvn -B -ntp -q -Pquick -DskipTests -Dclient.skip package \
 && rm -f target/superstep-*-tests.jar \
 && mv target/superstep-*-server.jar superstep.jar \
 && java -Djarmode=tools -jar superstep.jar extract --layers --destination extracted \
 && java -Djarmode=tools -jar target/superstep-*.jar extract --destination training \
 && javac -d training -cp 'training/lib/*' src/server/build/AotCache.java

FROM ${RUNTIME_IMAGE} AS service
# A named user: initdb of the training looks its own name up.
RUN groupadd --system --gid 10001 superstep \
 && useradd --system --uid 10001 --gid superstep --no-create-home --shell /usr/sbin/nologin superstep
WORKDIR /app
# From what changes least to what changes most.
COPY --from=build /build/extracted/dependencies/ ./
COPY --from=build /build/extracted/spring-boot-loader/ ./
COPY --from=build /build/extracted/snapshot-dependencies/ ./
COPY --from=build /build/extracted/application/ ./
COPY src/server/build/java.options ./
USER 10001:10001

# What a start loads and compiles, kept for each later start: about 200 MB. It belongs to these very jars
# and this very JVM. --build-arg AOT_CACHE=false makes a smaller image that starts more slowly.
FROM service AS training
ARG AOT_CACHE=true
COPY --from=build /build/training/ /training/
COPY src/server/build/trained.options /training/
RUN mkdir /tmp/cache \
 && if [ "$AOT_CACHE" = true ]; then \
      java -cp '/training/lib/*:/training' AotCache /tmp/cache/superstep.aot java @java.options -jar superstep.jar \
       && cat java.options /training/trained.options > /tmp/cache/java.options; \
    fi

FROM service
COPY --from=training /tmp/cache/ ./
# Of the many threads each would otherwise reserve memory of its own.
ENV MALLOC_ARENA_MAX=2
EXPOSE 8080 8081
# Bash speaks enough HTTP; the image need not have curl.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["bash", "-c", "exec 3<>\"/dev/tcp/127.0.0.1/${MANAGEMENT_SERVER_PORT:-8081}\" && printf 'GET /actuator/health/liveness HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r -t 2 _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["java", "@java.options", "-jar", "superstep.jar"]
