# The image of a stack's services, for publishing or for systems other than Linux. On Linux, `stack image build` makes
# it from an installed package in seconds, without a registry. To use it: docker: {image: parley:mine} in stack.yaml.
#
#   npm pack && docker build -t parley:mine .
FROM node:22-slim AS package
COPY parley-stack-parley-*.tgz /package.tgz
RUN npm install --global --prefix /made /package.tgz \
  && mv /made/lib/node_modules/@parley-stack/parley /opt/parley

FROM node:22-slim
COPY --from=package /opt/parley /opt/parley
WORKDIR /opt/parley
