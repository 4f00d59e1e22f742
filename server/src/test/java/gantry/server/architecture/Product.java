package gantry.server.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/// The product's classes, read once for all rules.
///
/// For:   the rules of this package.
/// Owner: none (immutable).
final class Product {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("gantry");

    private Product() {}

    static JavaClasses classes() {
        return CLASSES;
    }

    static boolean isOurs(JavaClass one) {
        return one.getPackageName().startsWith("gantry.");
    }

    /// `gantry.store.disk.Files` is in `store`.
    static String moduleOf(JavaClass one) {
        String[] words = one.getPackageName().split("\\.", -1);
        return words[1];
    }
}
