// The libraries are plain scripts with global names. This module exports these names, so that other modules import them.

export const { h, render, Fragment } = globalThis.preact;
export const { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useId } = globalThis.preactHooks;
export const Chart = globalThis.uPlot;
