/**
 * Decides what a history should have held, from what was asked for alone. Nothing here knows a
 * class of the system that it judges.
 */
package dev.carillon.campaign.judge;
