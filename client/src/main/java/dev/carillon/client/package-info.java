/**
 * The HTTP API of Carillon, for programs.
 *
 * <p>{@link dev.carillon.client.CarillonClient} talks to a deployment, with requests signed by the
 * credentials that it is given, or to a local engine without a signature. What the API refuses is a
 * {@link dev.carillon.client.CarillonException} of a type that says what to do about it, and holds
 * the API's own words. It uses the JDK's HTTP client, Jackson and the SDK's signer, and no other
 * module of Carillon.
 */
@NullMarked
package dev.carillon.client;

import org.jspecify.annotations.NullMarked;
