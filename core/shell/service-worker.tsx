/** Lets the console be installed, and say that there is no network when it is opened without one. Nothing else depends on it. */
export function installConsole(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const register = () => void navigator.serviceWorker.register(`${import.meta.env.BASE_URL}sw.js`, { updateViaCache: 'none' }).catch(() => undefined)
  // What the page itself needs comes first.
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}
