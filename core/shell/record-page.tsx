import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import { Suspense, useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import { request } from '../endpoint/call.tsx'
import { RecordForm } from '../record/record-form.tsx'
import { RecordView } from '../record/record-view.tsx'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import type { Presentation, RowTools } from '../resource/present.tsx'
import { ErrorPage } from './error-page.tsx'
import { useShell } from './shell-context.tsx'
import { useTabTitle } from './tabs-context.tsx'

/** Path of a screen that the person may open; undefined for others. */
function useScreenPath(id: number): string | undefined {
  const { routes } = useShell()
  return routes.flatMap(({ children = [] }) => children).find((route) => route.id === id)?.path
}

/** Leads on to a screen that is known by its id, with what its list is narrowed by. */
export function ScreenPage() {
  const { screen } = useParams()
  const { search } = useLocation()
  const path = useScreenPath(Number(screen))
  return path === undefined ? <ErrorPage code={404} /> : <Navigate to={`${path}${search}`} replace />
}

function Desk({ resource, presentation, id }: { resource: Resource; presentation: Presentation; id: number }) {
  const [editing, setEditing] = useState<WireRow>()
  const [dialog, setDialog] = useState<{ key: string; row: WireRow }>()
  const { data: row, error, refetch } = useQuery({
    queryKey: ['record', resource.name, id], queryFn: ({ signal }) => request<WireRow>('GET', `${resource.api.item}/${id}`, {}, { signal }),
  })
  useTabTitle(row && `${resource.label} ${String(row[resource.title] ?? id)}`)
  const reload = () => void refetch()
  const tools: RowTools = { reload, open: (key, one) => setDialog({ key, row: one }) }
  const Dialog = dialog && presentation.dialogs?.[dialog.key]
  return (
    <article className="record-page" aria-label={resource.label}>
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={reload}>重试</Button>} /> : row
        ? <RecordView key={row.id} resource={resource} presentation={presentation} row={row} onEdit={setEditing} tools={tools} /> : <Skeleton active />}
      <Suspense>
        {editing && <RecordForm resource={resource} presentation={presentation} row={editing} onClose={() => setEditing(undefined)} onSaved={reload} />}
        {Dialog && <Dialog key={`${dialog.key} ${dialog.row.id}`} row={dialog.row} reload={reload} onClose={() => setDialog(undefined)} open={(key) => setDialog({ ...dialog, key })} />}
      </Suspense>
    </article>
  )
}

/** One record in a tab of its own. What a screen of its own shows is opened there. */
export function RecordPage() {
  const { screen, resource, id } = useParams()
  const { modules } = useShell()
  const path = useScreenPath(Number(screen))
  const loader = path === undefined ? undefined : modules.map(({ screens }) => screens[path]).find((found) => found !== undefined)
  const { data, isPending } = useQuery({ queryKey: ['record-screen', path], enabled: loader?.resource !== undefined, queryFn: async () => {
    const [kind, presentation = {}] = await Promise.all([loader?.resource?.(), loader?.presentation?.()])
    return { kind, presentation }
  }, staleTime: Infinity, gcTime: Infinity })
  if (path === undefined || !Number(id)) return <ErrorPage code={404} />
  if (loader?.resource && isPending) return <Skeleton active />
  return data?.kind?.name === resource && data?.kind ? <Desk resource={data.kind} presentation={data.presentation} id={Number(id)} /> : <Navigate to={`${path}?open=${id}`} replace />
}
