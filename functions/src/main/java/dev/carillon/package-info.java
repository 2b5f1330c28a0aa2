/**
 * Carillon: a serverless scheduler. Each package below says what lives there and what it may use.
 */
package dev.carillon;
