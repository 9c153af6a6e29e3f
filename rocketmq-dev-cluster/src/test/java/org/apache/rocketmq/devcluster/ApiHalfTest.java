/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What runs in the JVM of the user must not need, nor load, any class of the server. */
@AnalyzeClasses(
        packages = "org.apache.rocketmq.devcluster",
        importOptions = DoNotIncludeTests.class)
class ApiHalfTest {

    private static final String SERVER_HALF = "org.apache.rocketmq.devcluster.server..";

    @ArchTest
    static final ArchRule THE_API_NEEDS_THE_JDK_AND_PICOCLI_ONLY =
            classes()
                    .that(not(resideInAPackage(SERVER_HALF)))
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(
                                    "java..",
                                    "picocli..",
                                    "org.apache.rocketmq.devcluster",
                                    "org.apache.rocketmq.devcluster.wire"));

    @ArchTest
    static final ArchRule THE_SERVER_HALF_SHARES_ONLY_THE_WIRE =
            classes()
                    .that(resideInAPackage(SERVER_HALF))
                    .should()
                    .onlyDependOnClassesThat(
                            not(resideInAPackage("org.apache.rocketmq.devcluster")));
}
