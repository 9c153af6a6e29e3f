/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Every class has a room, and the rooms keep to themselves. */
@AnalyzeClasses(
        packages = "org.apache.flink.connector.rocketmq.grpc",
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "org.apache.flink.connector.rocketmq.grpc";

    /** The only classes that may start a thread or a pool. */
    private static final DescribedPredicate<JavaClass> A_NAMED_THREAD_OWNER =
            DescribedPredicate.describe(
                    "a named owner of threads",
                    type ->
                            type.getSimpleName().equals("AckTimerThread")
                                    || type.getSimpleName().equals("CredentialsThread")
                                    || type.getSimpleName().equals("TimerThread"));

    @ArchTest
    static final ArchRule messageDependsOnNoSibling =
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + ".message..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            ROOT + ".config..",
                            ROOT + ".source..",
                            ROOT + ".ack..",
                            ROOT + ".sink..",
                            ROOT + ".table..");

    @ArchTest
    static final ArchRule configDependsOnNoSibling =
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + ".config..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            ROOT + ".message..",
                            ROOT + ".source..",
                            ROOT + ".ack..",
                            ROOT + ".sink..",
                            ROOT + ".table..");

    @ArchTest
    static final ArchRule theHandleIsTheOnlyContractOfTheSource =
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + ".source..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(ROOT + ".ack..", ROOT + ".sink..", ROOT + ".table..");

    @ArchTest
    static final ArchRule theHandleIsTheOnlyContractOfAcknowledging =
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + ".ack..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(ROOT + ".source..", ROOT + ".sink..", ROOT + ".table..");

    @ArchTest
    static final ArchRule acknowledgingDoesNotKnowThrottling =
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + ".ack")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(ROOT + ".ack.throttle..");

    @ArchTest
    static final ArchRule onlyTheClientSpeaksTheProtocol =
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "io.grpc..",
                            "com.google.protobuf..",
                            "apache.rocketmq..",
                            "org.apache.rocketmq.grpc.lite.internal..");

    @ArchTest
    static final ArchRule threadsAreCreatedInNamedPlacesOnly =
            noClasses()
                    .that(DescribedPredicate.not(A_NAMED_THREAD_OWNER))
                    .should()
                    .callConstructorWhere(
                            DescribedPredicate.describe(
                                    "a thread or a pool is created",
                                    call ->
                                            call.getTargetOwner().isAssignableTo(Thread.class)
                                                    || call.getTargetOwner()
                                                            .isAssignableTo(ExecutorService.class)))
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Executors.class);

    @ArchTest
    static final ArchRule roomsHaveNoCycles =
            slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule everyClassHasARoom = classes().should().resideInAPackage(ROOT + ".(*)..");
}
