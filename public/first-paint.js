// Runs before anything is painted: what the page looked like on the last visit stands at once. The console itself keeps it up to date.
try {
  const paint = JSON.parse(localStorage.getItem('daoyuan-paint') ?? 'null')
  const root = document.documentElement
  if (paint) {
    const dark = paint.mode === 'dark' || (paint.mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
    const { data, vars } = dark ? paint.dark : paint.light
    Object.assign(root.dataset, data)
    for (const name of Object.keys(vars)) root.style.setProperty(name, vars[name])
  }
} catch {
  // A first visit, or a store that is broken: it begins as everybody's does.
}
