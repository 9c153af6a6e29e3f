/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What may depend on what in this module. */
class ClientArchitectureTest {

    private static final String ROOT = "org.apache.rocketmq.grpc.lite";
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages(ROOT);

    @Test
    void nothingKnowsOfFlink() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.flink..")
                .check(CLASSES);
    }

    @Test
    void gRpcAndProtobufStayInternal() {
        noClasses()
                .that()
                .resideInAPackage(ROOT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc..", "com.google.protobuf..", "apache.rocketmq..")
                .check(CLASSES);
    }

    @Test
    void threadsAreMadeInOnePlace() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ROOT + ".internal.IoLoop")
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.util\\.concurrent\\.(Executors|ThreadPoolExecutor|ThreadFactory|Timer)"
                                + "|java\\.util\\.Timer|.*MultiThreadIoEventLoopGroup")
                .check(CLASSES);
    }

    @Test
    void onlyTheClientsThemselvesArePublicInside() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".internal")
                .and()
                .areTopLevelClasses()
                .and()
                .arePublic()
                .should()
                .haveSimpleNameStartingWith("GrpcLite")
                .check(CLASSES);
    }
}
