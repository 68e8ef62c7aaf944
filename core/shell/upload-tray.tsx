import { CaretRightOutlined, CheckCircleFilled, CloseOutlined, DownOutlined, PauseOutlined, RedoOutlined, UpOutlined } from '@ant-design/icons'
import { App, Button, Progress, Tooltip } from 'antd'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { sizeText } from '../file/size.ts'
import { recordFileTarget } from '../record-file/upload-target.tsx'
import { useStaff } from '../session/staff-context.tsx'
import { useShell } from './shell-context.tsx'
import { isBusy, isOver, type Upload, type UploadState } from '../upload/upload.ts'
import { uploads } from '../upload/uploads.tsx'
import './upload-tray.css'

const WORDS: Readonly<Record<UploadState, string>> = {
  waiting: '等待上传', hashing: '核对中', sending: '上传中', paused: '已暂停', gone: '请重新选择这个文件，已上传的部分会继续使用', finishing: '保存中', done: '已上传', known: '已有相同文件', failed: '上传失败',
}

/** How far it is, in words. */
function said({ state, sent, bytes, speed, problem }: Upload): string {
  if (problem !== undefined) return problem
  if (state !== 'sending') return WORDS[state]
  return `${sizeText(sent)} / ${sizeText(bytes)}${speed > 0 ? ` · ${sizeText(speed)}/秒` : ''}`
}

function Line({ upload }: { upload: Upload }) {
  const { id, name, state, sent, bytes, to } = upload
  const again = state === 'paused' || state === 'failed'
  return (
    <li className="upload-line" data-state={state}>
      <span className="upload-name" title={name}>{to === undefined ? name : <Link to={to}>{name}</Link>}</span>
      <span className="upload-said" role={state === 'failed' ? 'alert' : undefined}>{state === 'done' && <CheckCircleFilled />} {said(upload)}</span>
      {!isOver(upload) && <Progress percent={bytes > 0 ? Math.floor((sent / bytes) * 100) : 0} size="small" showInfo={false} status={state === 'failed' ? 'exception' : 'normal'} />}
      <span className="upload-tools">
        {(state === 'sending' || state === 'hashing') && <Tooltip title="暂停"><Button size="small" type="text" icon={<PauseOutlined />} aria-label={`暂停 ${name}`} onClick={() => uploads.pause(id)} /></Tooltip>}
        {again && <Tooltip title={state === 'failed' ? '重试' : '继续'}><Button size="small" type="text" icon={state === 'failed' ? <RedoOutlined /> : <CaretRightOutlined />} aria-label={`${state === 'failed' ? '重试' : '继续'} ${name}`} onClick={() => void uploads.resume(id)} /></Tooltip>}
        <Tooltip title="移除"><Button size="small" type="text" icon={<CloseOutlined />} aria-label={`移除 ${name}`} onClick={() => uploads.remove(id)} /></Tooltip>
      </span>
    </li>
  )
}

/** What the person sends, on every page: it goes on while they walk through the console, and is there again after a reload. */
export function UploadTray() {
  const { modules } = useShell()
  const staff = useStaff()
  const { message } = App.useApp()
  const list = useSyncExternalStore(uploads.subscribe, uploads.snapshot)
  const [open, setOpen] = useState(true)
  const chooser = useRef<HTMLInputElement>(null)
  const targets = useMemo(() => [recordFileTarget, ...modules.flatMap((module) => module.uploads)], [modules])
  useEffect(() => void uploads.open(staff.id, targets), [staff.id, targets])
  if (list.length === 0) return null
  const busy = list.filter(isBusy).length
  const left = list.filter((upload) => !isOver(upload))
  const failed = list.filter(({ state }) => state === 'failed').length
  const gone = list.some(({ state }) => state === 'gone')
  const title = left.length === 0 ? `${list.length} 个文件已处理` : `${busy > 0 ? '正在上传' : '等待继续'} ${left.length} 个文件${failed > 0 ? `，${failed} 个失败` : ''}`
  return (
    <section className="upload-tray" aria-label="上传" data-open={open}>
      <header>
        <strong aria-live="polite">{title}</strong>
        <span>
          {list.some(isOver) && <Button size="small" type="link" onClick={() => uploads.clear()}>清除已完成</Button>}
          <Button size="small" type="text" icon={open ? <DownOutlined /> : <UpOutlined />} aria-label={open ? '收起上传' : '展开上传'} aria-expanded={open} onClick={() => setOpen(!open)} />
        </span>
      </header>
      {open && <ul>{list.map((upload) => <Line key={upload.id} upload={upload} />)}</ul>}
      {open && gone && (
        <footer>
          <Button size="small" onClick={() => chooser.current?.click()}>重新选择文件</Button>
          <input ref={chooser} type="file" multiple hidden aria-label="重新选择文件" onChange={({ target }) => {
            const found = [...target.files ?? []].filter((file) => uploads.again(file))
            if (found.length === 0) void message.warning('选择的不是同一个文件，请按名称重新选择')
            target.value = ''
          }} />
        </footer>
      )}
    </section>
  )
}
