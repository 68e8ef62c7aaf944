import { DeleteOutlined, DownloadOutlined, FileOutlined, UploadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Image, Skeleton } from 'antd'
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { call } from '../endpoint/call.tsx'
import { briefTime, formatTime } from '../field/time.ts'
import { sizeText } from '../file/size.ts'
import { filesRight, MOST_FILES, recordFileEndpoints, recordFileUrl, type RecordFile } from '../record-file/calls.ts'
import { arrivedFor, onArrived, recordFileKey, uploadRecordFiles } from '../record-file/upload-target.tsx'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { useCan } from '../session/staff-context.tsx'
import { useIsFront } from '../ui/front.tsx'
import { useSaid } from '../undo/use-said.tsx'
import { chooseFiles, pickedFiles, type DroppedFile } from '../upload/dropped.tsx'
import './files-tab.css'

interface Of {
  resource: Resource
  row: WireRow
}

/** What a browser shows by itself. */
const shown = (type: string) => type.startsWith('image/') || type.startsWith('video/') || type.startsWith('audio/') || type === 'application/pdf'

/** The files of a record; those that arrive from this window come by themselves. */
function useFiles({ resource, row }: Of) {
  const key = recordFileKey(resource, row.id)
  const arrived = useSyncExternalStore(onArrived, () => arrivedFor(key))
  const client = useQueryClient()
  const { name } = resource
  useEffect(() => {
    if (arrived > 0) void client.invalidateQueries({ queryKey: ['history', name, row.id] })
  }, [arrived, client, name, row.id])
  return useQuery({
    queryKey: ['files', name, row.id, arrived], placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(recordFileEndpoints(resource).list, undefined, { params: { id: row.id }, signal, quiet: true }),
  })
}

/** Whether the person may add files to a record and take them away. */
export function useFilesChange({ resource, row }: Of): boolean {
  return useCan()(filesRight(resource)) && row['deleted_at'] === null
}

/** What the tab is called: with the number of files, once there are any. */
export function FilesLabel(of: Of) {
  const count = useFiles(of).data?.items.length ?? 0
  return <>文件{count > 0 && ` ${count}`}</>
}

/** A picture from the clipboard has no name of its own. */
function named(file: File): DroppedFile {
  const pasted = file.name === 'image.png'
  return { file: pasted ? new File([file], `截图 ${formatTime(Date.now() / 1000).replaceAll(':', '.')}.png`, { type: file.type, lastModified: file.lastModified }) : file, folders: [] }
}

function Line({ resource, row, file, onRemove }: Of & { file: RecordFile; onRemove: (() => void) | undefined }) {
  const url = recordFileUrl(resource, row.id, file.id)
  const isImage = file.type.startsWith('image/')
  return (
    <li>
      {isImage ? <Image src={url} width={40} height={40} alt={file.name} /> : <span className="record-file-sign" aria-hidden><FileOutlined /></span>}
      <span className="record-file-words">
        {shown(file.type) && !isImage ? <a href={url} target="_blank" rel="noopener noreferrer" title={file.name}>{file.name}</a> : <span title={file.name}>{file.name}</span>}
        <small>{sizeText(file.bytes)}　{file.staff_name}　<time title={formatTime(file.at)}>{briefTime(file.at)}</time></small>
      </span>
      <Button type="text" icon={<DownloadOutlined />} href={recordFileUrl(resource, row.id, file.id, true)} aria-label={`下载 ${file.name}`} title="下载" />
      {onRemove && <Button type="text" icon={<DeleteOutlined />} aria-label={`移除 ${file.name}`} title="移除" onClick={onRemove} />}
    </li>
  )
}

/** What is kept with a record: contracts, pictures, what somebody sent. Chosen, dropped anywhere on the record, or pasted. */
export function FilesTab(of: Of) {
  const { resource, row } = of
  const { data, error, refetch } = useFiles(of)
  const may = useFilesChange(of)
  const say = useSaid()
  const client = useQueryClient()
  const isFront = useIsFront()
  const input = useRef<HTMLInputElement>(null)
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    const files = [...event.clipboardData?.files ?? []]
    if (!may || !isFront() || event.defaultPrevented || files.length === 0) return
    event.preventDefault()
    uploadRecordFiles(resource, row.id, files.map(named))
  })
  useEffect(() => {
    const hear = (event: ClipboardEvent) => pasted(event)
    window.addEventListener('paste', hear)
    return () => window.removeEventListener('paste', hear)
  }, [])
  const choose = async () => {
    const found = await chooseFiles()
    if (found) uploadRecordFiles(resource, row.id, found)
    else input.current?.click()
  }
  const remove = async (file: RecordFile) => {
    const done = await call(recordFileEndpoints(resource).remove, undefined, { params: { id: row.id, file: file.id } }).catch(() => undefined)
    // The shell has said why not; somebody else may have been first.
    if (done) say({ words: `已移除「${file.name}」`, undo: done.undo })
    await Promise.all([['files', resource.name, row.id], ['history', resource.name, row.id]].map((queryKey) => client.invalidateQueries({ queryKey })))
  }
  const files = data?.items ?? []
  return (
    <section className="record-files" aria-label="文件">
      {may && files.length < MOST_FILES && (
        <div className="record-files-add">
          <Button icon={<UploadOutlined />} onClick={() => void choose()}>上传文件</Button>
          <span className="note">可拖到这条记录上，也可直接粘贴截图</span>
          <input ref={input} type="file" multiple hidden aria-label="选择要上传的文件" onChange={({ target }) => { if (target.files) uploadRecordFiles(resource, row.id, pickedFiles(target.files)); target.value = '' }} />
        </div>
      )}
      {error ? <Alert type="error" title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : !data ? <Skeleton active paragraph={{ rows: 2 }} title={false} /> : files.length === 0
        ? <p className="note">{may ? '还没有文件。合同、截图、对方发来的材料都可以放在这里' : '还没有文件'}</p>
        : <Image.PreviewGroup><ul>{files.map((file) => <Line key={file.id} {...of} file={file} onRemove={may ? () => void remove(file) : undefined} />)}</ul></Image.PreviewGroup>}
    </section>
  )
}
