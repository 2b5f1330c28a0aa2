/**
 * Determines what a history had to contain, from the users' requests alone. This package knows no
 * class of the system under test.
 */
package dev.carillon.campaign.judge;
