import { useQueryClient } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useEffect, useEffectEvent, useState, useSyncExternalStore, type DragEvent } from 'react'
import { useSearchParams } from 'react-router'
import { choiceLabel } from '../../../core/field/choice.ts'
import { ListPage } from '../../../core/list/list-page.tsx'
import { PageParams } from '../../../core/list/use-list.tsx'
import { useLive } from '../../../core/live/use-live.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import type { TreeNode } from '../../../core/tree/calls.ts'
import { resourceSource } from '../../../core/tree/source.tsx'
import { TreePane } from '../../../core/tree/tree-pane.tsx'
import { droppedFiles, type DroppedFile } from '../../../core/upload/dropped.tsx'
import { uploads } from '../../../core/upload/uploads.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { ASSET_KINDS, ASSETS, UPLOADS, type AssetKind } from '../asset.ts'
import { assetChecked } from '../live.ts'
import { materialTag } from '../tag.ts'
import { ASSET_VIEWS } from './asset-view.tsx'
import type { AboutAsset } from './finish-upload.tsx'
import { UploadContext } from './upload-button.tsx'
import './store.css'

const NO_GROUP = {}
/** What of the address says which kind is shown. */
const OWN_PARAMS = ['kind']
const tags = materialTag

/** How many uploads to the library are over, so that a list knows when to look again. */
const finished = () => uploads.snapshot().filter(({ target, state }) => target === 'asset' && state === 'done').length

/** The library: tags at the left, assets at the right; files are dropped anywhere on it. */
export function StoreScreen({ kinds }: { kinds: readonly AssetKind[] }) {
  const client = useQueryClient()
  const can = useCan()
  const wide = useWide('lg')
  const [address, setAddress] = useSearchParams()
  const [over, setOver] = useState(false)
  const kind = kinds.find((one) => one === address.get('kind')) ?? kinds[0] ?? 'video'
  const resource = ASSETS[kind]
  const tagId = Number(address.get('tag_ids')) || undefined
  const maySend = can(resource.actions.create)
  const reread = () => void client.invalidateQueries({ queryKey: ['list', resource.name] })
  useLive(assetChecked, () => {
    reread()
    void client.invalidateQueries({ queryKey: ['record', resource.name] })
  })
  const done = useSyncExternalStore(uploads.subscribe, finished)
  const arrived = useEffectEvent(reread)
  useEffect(() => { if (done > 0) arrived() }, [done])

  const choose = (id: number | undefined) => setAddress((current) => {
    const next = new URLSearchParams(current)
    for (const key of ['tag_ids', 'page', 'cursor', 'open']) next.delete(key)
    if (id !== undefined) next.set('tag_ids', String(id))
    return next
  })
  const add = (files: readonly DroppedFile[]) => {
    const about = (folders: readonly string[]): AboutAsset => ({ folders, ...(tagId !== undefined && { tag_id: tagId }) })
    uploads.add('asset', files.map(({ file, handle, folders }) => ({ file, ...(handle && { handle }), about: { ...about(folders) } })), kinds.flatMap((one) => UPLOADS[one]))
  }
  const holdsFiles = (event: DragEvent) => maySend && event.dataTransfer.types.includes('Files')
  const drop = (event: DragEvent) => {
    setOver(false)
    if (!holdsFiles(event)) return
    event.preventDefault()
    void droppedFiles(event.dataTransfer.items).then(add)
  }

  return (
    <UploadContext value={maySend ? add : undefined}>
      <div className="store" data-over={over} onDragOver={(event) => { if (holdsFiles(event)) { event.preventDefault(); setOver(true) } }} onDrop={drop}
        onDragLeave={(event) => { if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false) }}>
        <div className="tree-page">
          <aside aria-label="素材标签">
            <Segmented<AssetKind> block className="store-kinds" value={kind} options={kinds.map((one) => ({ value: one, label: choiceLabel(ASSET_KINDS, one) }))} onChange={(next) => setAddress(next === kinds[0] ? {} : { kind: next })} />
            <TreePane<TreeNode> label="素材标签" source={resourceSource(tags, NO_GROUP, false)} height={wide ? 520 : 200} empty="还没有素材标签，上传文件夹时会自动建立" selected={tagId === undefined ? [] : [tagId]}
              onSelect={({ id }) => choose(id === tagId ? undefined : id)} tools={<Button size="small" type={tagId === undefined ? 'primary' : 'default'} aria-pressed={tagId === undefined} onClick={() => choose(undefined)}>全部素材</Button>} />
          </aside>
          <div><PageParams value={OWN_PARAMS}><ListPage key={kind} resource={resource} presentation={ASSET_VIEWS[kind]} {...(tagId !== undefined && { start: { tag_ids: [tagId] } })} /></PageParams></div>
        </div>
        {over && <div className="store-drop" aria-hidden>松开鼠标，上传到素材库</div>}
      </div>
    </UploadContext>
  )
}
