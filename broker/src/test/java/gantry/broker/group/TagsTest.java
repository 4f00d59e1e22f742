package gantry.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.TagCodes;
import org.junit.jupiter.api.Test;

/// Which queue entries a tag expression lets through.
class TagsTest {
    @Test
    void everythingPassesAStarOrNothing() {
        assertThat(Tags.of("*")).isSameAs(TagCodes.ANY);
        assertThat(Tags.of("  ")).isSameAs(TagCodes.ANY);
    }

    @Test
    void onlyNamedTagsPassAnExpression() {
        TagCodes codes = Tags.of("A || B");
        assertThat(codes.wants("A".hashCode())).isTrue();
        assertThat(codes.wants("B".hashCode())).isTrue();
        assertThat(codes.wants("C".hashCode())).isFalse();
        assertThat(codes.wants(0)).isFalse();
    }
}
