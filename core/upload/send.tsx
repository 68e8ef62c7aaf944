import type { Upload as Resumable } from 'tus-js-client'
import { call, csrfHeader } from '../endpoint/call.tsx'
import { RESUMABLE_UPLOADS } from '../file/calls.ts'
import { fileUrl } from '../file/url.ts'
import { currentStaff } from '../session/calls.ts'
import type { UploadKind } from './upload.ts'

/** Pauses before a piece that did not arrive is sent again, in milliseconds. */
const RETRIES = [0, 1000, 3000, 5000, 10_000, 20_000]
/** Bytes of one piece; a proxy in front of the server need not let larger bodies through. */
const PIECE = 8 * 1024 * 1024
/** What is refused for good, whenever it is sent again. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 413, 415, 429])

/** A file on its way. */
export interface Sending {
  /** Address that serves it; undefined when it was stopped. Fails with a sentence for its person. */
  readonly url: Promise<string | undefined>
  /** What has arrived waits on the server for a day. */
  readonly stop: () => void
}

/** What the server said of a refused piece. */
function answerOf(error: Error): { status: number; words: string | undefined } {
  const answer = 'originalResponse' in error ? (error.originalResponse as { getStatus(): number; getBody(): string } | null) : null
  const status = answer?.getStatus() ?? 0
  try {
    return { status, words: (JSON.parse(answer?.getBody() ?? '') as { detail?: string }).detail }
  } catch {
    // Not one of our answers.
    return { status, words: undefined }
  }
}

/**
 * Sends a file in pieces, from where an earlier attempt stopped. When the session is over meanwhile, the person is asked for the
 * password where they are, and it goes on.
 * @param onProgress hears how many bytes have arrived
 */
export function send(file: File, { name, kind }: { readonly name: string; readonly kind: UploadKind }, onProgress: (sent: number) => void): Sending {
  let tus: Resumable | undefined
  let stopped = false
  let stop = () => { stopped = true }
  const attempt = async (): Promise<string | undefined> => {
    // Fetched with the first file that somebody sends: most people send none.
    const { Upload } = await import('tus-js-client')
    return stopped ? undefined : begin(Upload)
  }
  const begin = (Sender: typeof Resumable): Promise<string | undefined> => new Promise((resolve, reject) => {
    const own = new Sender(file, {
      endpoint: RESUMABLE_UPLOADS, chunkSize: PIECE, retryDelays: RETRIES, removeFingerprintOnSuccess: true, metadata: { filename: name, kind },
      onBeforeRequest: (request) => Object.entries(csrfHeader()).forEach(([header, value]) => request.setHeader(header, value)),
      onShouldRetry: (error) => !REFUSED.has(error.originalResponse?.getStatus() ?? 0),
      onProgress,
      onSuccess: () => resolve(fileUrl(own.url?.split('/').at(-1) ?? '')),
      onError: (error) => {
        const { status, words } = answerOf(error)
        const failed = new Error(words ?? '上传中断，请检查网络后重新选择同一个文件，已上传的部分会继续使用')
        // A call of our own brings the dialog that asks for the password.
        if (status === 401 && !stopped) void call(currentStaff, undefined, { quiet: true }).then(() => resolve(stopped ? undefined : attempt()), () => reject(failed))
        else reject(failed)
      },
    })
    tus = own
    stop = () => {
      stopped = true
      void tus?.abort()
      resolve(undefined)
    }
    void own.findPreviousUploads().then(([earlier]) => {
      if (stopped) return resolve(undefined)
      if (earlier) own.resumeFromPreviousUpload(earlier)
      own.start()
    })
  })
  return { url: attempt(), stop: () => stop() }
}
