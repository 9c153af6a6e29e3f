/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryTreeTest {

    @TempDir Path directory;

    @Test
    void everythingBelowIsDeletedAndNothingBeside() throws Exception {
        Path tree = directory.resolve("tree");
        Files.createDirectories(tree.resolve("a/b/c"));
        Files.writeString(tree.resolve("a/b/file"), "x");
        Path beside = Files.writeString(directory.resolve("beside"), "x");
        Files.createSymbolicLink(tree.resolve("link"), beside);

        DirectoryTree.delete(tree);

        assertThat(tree).doesNotExist();
        assertThat(beside).exists();
    }

    @Test
    void aTreeThatIsNotThereIsDeletedAlready() throws Exception {
        Path tree = directory.resolve("none");

        DirectoryTree.delete(tree);

        assertThat(tree).doesNotExist();
    }

    @Test
    void aTreeInUseLeavesNothingBesideEither() throws Exception {
        Path tree = Files.createDirectories(directory.resolve("tree/a")).getParent();
        Path open = tree.resolve("a/open");
        try (OutputStream writer = Files.newOutputStream(open)) {
            writer.write(1);

            DirectoryTree.deleteUnderWriters(tree);
            DirectoryTree.deleteUnderWriters(tree);

            writer.write(2);
        }
        assertThat(directory).isEmptyDirectory();
    }
}
