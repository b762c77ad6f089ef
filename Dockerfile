# One image for every role: the command decides (api, worker, migrate, or any other command of argosy).
# Debian, not Alpine: isolated-vm ships its binaries for glibc.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No install scripts: what is needed of them, the generated client and the bundles, is made in the open below.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json rolldown.config.mjs ./
COPY scripts scripts
COPY prisma prisma
COPY libs libs
COPY apps apps
RUN PRISMA_SCHEMA_ENGINE_BINARY=/bin/true CHECKPOINT_DISABLE=1 DO_NOT_TRACK=1 node node_modules/prisma/build/index.js generate --schema prisma/schema.prisma \
 && node scripts/build.mjs

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Optional packages hold an embedded Postgres and a second Node, which an image has no use for.
RUN npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY prisma/migrations prisma/migrations
COPY examples examples
USER node
EXPOSE 5678
# Drains for SHUTDOWN_GRACE_MS; whoever stops the container should wait a little longer than that.
STOPSIGNAL SIGTERM
# isolated-vm cannot start from Node's own start-up snapshot.
ENTRYPOINT ["node", "--no-node-snapshot", "--enable-source-maps", "--max-semi-space-size=8", "--heap-growing-percent=30", "dist/cli.js"]
CMD ["api"]
