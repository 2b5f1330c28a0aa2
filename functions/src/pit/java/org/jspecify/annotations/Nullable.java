package org.jspecify.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The annotation without a trace in the compiled classes: a JVM before 22 cannot exchange the code
 * of a record of which a component is annotated, and PIT would count each of its
 * mutants as found.
 */
@Target(ElementType.TYPE_USE)
@Retention(RetentionPolicy.SOURCE)
public @interface Nullable {}
