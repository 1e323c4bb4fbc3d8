Superstep
=========

Libraries in the packaged service and the command line, and their licences as their authors declare them.
Written by: mvn -Prelease -DskipTests package

<#-- Of the command line, which is not among the dependencies of the service. -->
info.picocli:picocli:4.7.7
    The Apache Software License, version 2.0
<#list dependencyMap as e>
<#assign p = e.getKey()/>
<#assign licenses = e.getValue()/>
${p.groupId}:${p.artifactId}:${p.version}
<#list licenses as license>
    ${license}
</#list>
</#list>
