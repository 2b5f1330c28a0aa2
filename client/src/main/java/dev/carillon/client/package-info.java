/**
 * A Java client for the HTTP API of Carillon.
 *
 * <p>{@link dev.carillon.client.CarillonClient} calls a deployment with signed requests, or a local
 * engine without a signature. For a refused request, it throws a {@link
 * dev.carillon.client.CarillonException}. The type of the exception determines what to do, and the
 * exception contains the API's problem document. The library uses the JDK's HTTP client, Jackson
 * and the SDK's signer, and no other module of Carillon.
 */
@NullMarked
package dev.carillon.client;

import org.jspecify.annotations.NullMarked;
