Superstep
=========

Libraries in the packaged service, and their licences as their authors declare them.
Written by: mvn -Prelease -DskipTests package

<#list dependencyMap as e>
<#assign p = e.getKey()/>
<#assign licenses = e.getValue()/>
${p.groupId}:${p.artifactId}:${p.version}
<#list licenses as license>
    ${license}
</#list>
</#list>
