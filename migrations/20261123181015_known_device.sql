CREATE TABLE "known_device" (
	"hash" text NOT NULL,
	"staff_id" bigint NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_device_hash_staff_id_pk" PRIMARY KEY("hash","staff_id")
);

ALTER TABLE "credential" ADD COLUMN "good_until" timestamp with time zone;
CREATE INDEX "known_device_staff_i" ON "known_device" USING btree ("staff_id");
