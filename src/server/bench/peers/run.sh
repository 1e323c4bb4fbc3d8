#!/bin/sh
# Builds the peers and measures them and the service by one client:
#   src/server/bench/peers/run.sh [-Dname=value ...]
# Without arguments: -Dworkloads=PEERS -Dpeers=DBOS,RESTATE. Options: docs/benchmarks.md.
# Needs JDK 25 in JAVA_HOME, Maven, Node 20 and what Maven Central and npm have.
set -eu
cd "$(dirname "$0")"
mvn -q -B process-classes
npm ci --ignore-scripts
cd ../../../..
[ $# -gt 0 ] || set -- -Dworkloads=PEERS -Dpeers=DBOS,RESTATE
exec mvn -q -Pbench,quick package exec:exec -Dbench=workloads "$@"
