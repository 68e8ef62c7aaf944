import type { ShellRoute } from './routes.ts'
import { useShell } from './shell-context.tsx'
import './breadcrumb.css'

/** Where the page in front stands. */
export function Breadcrumb({ current }: { current: ShellRoute | undefined }) {
  const { routes } = useShell()
  const group = routes.find((route) => route.children?.some((child) => child.path === current?.path))
  return <span className="crumbs">{[group?.title, current?.title].filter(Boolean).join(' / ')}</span>
}
