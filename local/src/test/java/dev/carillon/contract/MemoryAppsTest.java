package dev.carillon.contract;

import dev.carillon.app.Apps;
import dev.carillon.memory.MemoryApps;

class MemoryAppsTest extends AppsContract {

  private final MemoryApps apps = new MemoryApps();

  @Override
  Apps apps() {
    return apps;
  }
}
