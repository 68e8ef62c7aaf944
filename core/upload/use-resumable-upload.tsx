import { useEffect, useRef, useState } from 'react'
import { send, type Sending } from './send.tsx'
import { kindOfName, problemOf, type UploadKind } from './upload.ts'

interface Running {
  /** Whole percent. */
  percent: number
  /** Stops; what has arrived waits on the server for the same file to be chosen again. */
  stop: () => void
}

/**
 * Uploads one file in pieces, for a form; a broken connection or a closed window costs only the last of them.
 * @param offered kinds that the field takes
 * @param done gets the address that serves the file
 */
export function useResumableUpload(offered: readonly UploadKind[], done: (url: string) => void) {
  const [running, setRunning] = useState<Running>()
  const [problem, setProblem] = useState<string>()
  const sending = useRef<Sending>(undefined)
  useEffect(() => () => sending.current?.stop(), [])

  const start = async (file: File) => {
    const kind = kindOfName(file.name, offered)
    const wrong = problemOf(kind, file)
    setProblem(wrong)
    if (wrong !== undefined || kind === undefined) return
    const now = send(file, { name: file.name, kind }, (sent) => setRunning((before) => before && { ...before, percent: Math.floor((sent / file.size) * 100) }))
    sending.current = now
    setRunning({ percent: 0, stop: now.stop })
    try {
      const url = await now.url
      if (url !== undefined) done(url)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '上传失败，请重试')
    } finally {
      setRunning(undefined)
    }
  }
  return { running, problem, start }
}
