/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.wire;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Creates a temporary directory, and deletes a directory with everything in it. */
public final class DirectoryTree {

    private static final int MAX_ATTEMPTS = 100;

    private DirectoryTree() {}

    /** The name of the directory tells whose it is: {@code prefix-PID-…}. */
    public static Path createTemporary(String prefix) throws IOException {
        return Files.createTempDirectory(ownPrefix(prefix)).toAbsolutePath();
    }

    /** What the names of this process's temporary directories begin with. */
    public static String ownPrefix(String prefix) {
        return prefix + "-" + ProcessHandle.current().pid() + "-";
    }

    /**
     * Deletes a tree in which this process still writes by path, as the last thing it does: until
     * the end a plain file stands in the directory's place, so that nothing can be created anew.
     */
    public static void deleteUnderWriters(Path root) throws IOException {
        for (int attempt = 1; Files.isDirectory(root); attempt++) {
            Path aside = root.resolveSibling(root.getFileName() + ".deleted-" + attempt);
            try {
                Files.move(root, aside);
                Files.createFile(root);
            } catch (FileAlreadyExistsException e) {
                // a writer was faster than the plain file: once more
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            } finally {
                delete(aside);
            }
        }
        Files.deleteIfExists(root);
    }

    /**
     * Deletes the tree; what somebody else deletes meanwhile is no error, and a tree that is not
     * there is deleted already.
     */
    public static void delete(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<Path>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        if (failure instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE;
                        }
                        throw failure;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
                            throws IOException {
                        if (failure != null && !(failure instanceof NoSuchFileException)) {
                            throw failure;
                        }
                        Files.deleteIfExists(directory);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
