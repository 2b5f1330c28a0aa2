/** Carillon: a serverless scheduler. */
package dev.carillon;
